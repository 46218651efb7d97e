// Operations with their response: for its headers, such as `ETag`.

export type Operation = (options: never) => Promise<unknown>;
export type OptionsOf<O extends Operation> = NonNullable<Parameters<O>[0]>;
/** What the operation resolves to. It never resolves to undefined, because it throws its errors. */
export type DataOf<O extends Operation> = NonNullable<Awaited<ReturnType<O>>>;

/**
 * What an operation resolves to, and the response that it came with. The body of the response has been read.
 */
export async function withResponse<O extends Operation>(
  operation: O,
  options: OptionsOf<O>,
): Promise<{ data: DataOf<O>; response: Response }> {
  // The types of an operation know its data only, since that is what nearly every caller wants.
  const answer = await operation({ ...(options as object), responseStyle: 'fields' } as never);
  return answer as { data: DataOf<O>; response: Response };
}
