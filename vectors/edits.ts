// Ways to spoil a good request, for the vectors that must be refused.
import {
  algorithm,
  type Case,
  covered,
  created,
  type Header,
  kid,
  makeRequest,
  type Plan,
  type SignedRequest,
  url,
} from './request.ts';

type Edit = (value: string) => string | string[];

export const refuse = (step: string, code: string, name: string, request: SignedRequest, rest: Partial<Case> = {}): Case => ({
  name,
  accept: false,
  code,
  step,
  request,
  ...rest,
});

/** A good request with lines of one header changed, doubled or (by an empty array) taken away. */
export function withHeader(header: string, edit: Edit, plan?: Plan): SignedRequest {
  const request = makeRequest(plan);
  const headers = request.headers.flatMap(([name, value]) =>
    name === header ? [edit(value)].flat().map((line): Header => [name, line]) : [[name, value] as Header],
  );
  return { ...request, headers };
}
export const withInput = (edit: Edit, plan?: Plan) => withHeader('Signature-Input', edit, plan);
export const withSignature = (edit: Edit, plan?: Plan) => withHeader('Signature', edit, plan);
export const withBytes = (bytes: Uint8Array) => withSignature(() => `sig1=:${Buffer.from(bytes).toString('base64')}:`);
export const without = (component: string) => makeRequest({ components: covered.filter((other) => other !== `"${component}"`) });
export const replaced = (component: string, by: string) =>
  makeRequest({ components: covered.map((other) => (other === `"${component}"` ? by : other)) });
export const parameters = (...values: string[]) => makeRequest({ parameters: values });
export const at = (target: string, signed = url): SignedRequest => ({ ...makeRequest({ url: signed }), url: target });

export const [createdParameter, keyidParameter, algParameter] = [
  `created=${created}`,
  `keyid="${kid('active')}"`,
  `alg="${algorithm}"`,
];
export const half = (byte: number) => new Uint8Array(48).fill(byte);
export const join = (r: Uint8Array, s: Uint8Array) => Uint8Array.from([...r, ...s]);
