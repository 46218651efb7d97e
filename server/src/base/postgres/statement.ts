// A statement on a connection that pipelines. It tells whether it was sent, and what a prepared one answers is
// described once.
import { type ClientBase, Query } from 'pg';

type Text = { readonly text: string; readonly values?: readonly unknown[] };
export type Answer = { readonly rows: readonly unknown[]; readonly command: string };
type Done = (error: Error | null, answer: Answer) => void;

/** The columns of a prepared statement, as the driver keeps them. They never change on a connection. */
type Shape = Readonly<Record<'fields' | '_parsers' | '_prebuiltEmptyResultObject', unknown>>;
type Connection = { describe(message: unknown): void };
type Known = { readonly shapes: Map<string, Shape>; readonly withoutDescribe: Connection };

/** What the types of the driver leave out. `submit` returns an error for a statement that it does not send. */
type Internals = {
  name: string | undefined;
  _result: Shape;
  _accumulateRows: boolean;
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
};
const Sendable = Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  done: Done,
) => Internals;

const connections = new WeakMap<Connection, Known>();

function knownOf(connection: Connection): Known {
  const known = connections.get(connection);
  if (known) return known;
  const withoutDescribe = Object.create(connection, { describe: { value: () => {} } });
  const added = { shapes: new Map(), withoutDescribe };
  connections.set(connection, added);
  return added;
}

class Statement extends Sendable {
  failure: Error | undefined;
  #isBeingSent = false;

  override submit(connection: Connection): Error | null {
    this.#isBeingSent = true;
    const failure = super.submit(connection);
    this.#isBeingSent = false;
    this.failure ??= failure ?? undefined;
    return failure;
  }

  override prepare(connection: Connection): void {
    const { shapes, withoutDescribe } = knownOf(connection);
    const shape = shapes.get(this.name ?? '');
    if (shape) {
      Object.assign(this._result, shape);
      this._accumulateRows = true;
    }
    super.prepare(shape ? withoutDescribe : connection);
  }

  override handleError(error: Error, connection: Connection): void {
    if (this.#isBeingSent) this.failure = error;
    super.handleError(error, connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const { shapes } = knownOf(connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (this.name !== undefined && !shapes.has(this.name))
      shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    super.handleCommandComplete(message, connection);
  }
}

/** `failure`: PostgreSQL never gets the statement, for example because a value has no text. */
export function send(
  client: ClientBase,
  { text, values }: Text,
  name?: string,
): { answer: Promise<Answer>; failure: Error | undefined } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const statement = new Statement(text, values && [...values], (error, result) =>
    error ? reject(error) : resolve(result),
  );
  statement.name = name;
  client.query(statement as unknown as Query);
  return { answer, failure: statement.failure };
}
