// The outcome of a call for assertions: its result, or the code of the error that it throws.
export function codeOf<Result>(run: () => Result): Result | string | undefined {
  try {
    return run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
}
