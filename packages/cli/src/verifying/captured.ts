// A request that somebody captured.

export type Captured = {
  readonly method: string;
  /** Null: the text does not say where the request went. */
  readonly url: string | null;
  readonly headers: [name: string, value: string][];
  readonly body: Buffer;
};
