// Changes to the default request, and the vectors to refuse.
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

/** Creates vectors that a receiver must refuse; ours refuses them at this step with this code. */
export const refuseWith =
  (step: string, code: string) =>
  (name: string, request: SignedRequest, rest: Partial<Case> = {}): Case => ({
    name,
    accept: false,
    code,
    step,
    request,
    ...rest,
  });
export const invalid = refuseWith('verify', 'signature_invalid');

/** The signature fields of the default request. */
export const [input, signature] = ['Signature-Input', 'Signature'].map((name) =>
  readHeader(makeRequest(), name),
) as [string, string];

export function readHeader({ headers }: SignedRequest, name: string): string {
  return headers.find(([header]) => header === name)?.[1] ?? '';
}

/** Signs a request, then sets the lines of one header; none removes it. */
export function withHeader(header: string, lines: string | string[], plan?: Plan): SignedRequest {
  const request = makeRequest(plan);
  const headers = request.headers.flatMap(([name, value]) =>
    name === header ? [lines].flat().map((line): Header => [name, line]) : [[name, value] as Header],
  );
  return { ...request, headers };
}
export const withInput = (lines: string | string[], plan?: Plan) =>
  withHeader('Signature-Input', lines, plan);
export const withSignature = (lines: string | string[]) => withHeader('Signature', lines);
export const withBytes = (bytes: Uint8Array) =>
  withSignature(`sig1=:${Buffer.from(bytes).toString('base64')}:`);
export const withParameters = (...parameters: string[]) => makeRequest({ parameters });
export const withComponents = (...added: string[]) => makeRequest({ components: [...covered, ...added] });
export const withoutComponent = (name: string) =>
  makeRequest({ components: covered.filter((other) => other !== `"${name}"`) });
export const replaceComponent = (name: string, by: string) =>
  makeRequest({ components: covered.map((other) => (other === `"${name}"` ? by : other)) });
/** Signed for one URL, sent to another. */
export const sentTo = (target: string, signedUrl = url): SignedRequest => ({
  ...makeRequest({ url: signedUrl }),
  url: target,
});

export const [createdParameter, keyidParameter, algParameter] = [
  `created=${created}`,
  `keyid="${kid('active')}"`,
  `alg="${algorithm}"`,
];
/** 48 bytes: an r or s of P-384. */
export const half = (byte: number) => new Uint8Array(48).fill(byte);
export const join = (r: Uint8Array, s: Uint8Array) => Uint8Array.from([...r, ...s]);
