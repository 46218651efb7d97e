// Client certificates for TLS (behaviour W72): each has a secure context, which is kept, and connections of its own.
import { createSecureContext, type SecureContext } from 'node:tls';
import { keepLast } from '../keep-last.ts';
import { tlsOptions } from './connections.ts';

const maxKept = 1_000;

/** PEM. The certificate can have its chain. */
export type KeyPair = { readonly certificate: string; readonly privateKey: string };

export type ClientCertificate = {
  /** Identifies this certificate in this place. Requests with another id share no connection and no TLS session. */
  readonly id: string;
  /** Called when there is no context yet. */
  open(): KeyPair;
};

/** The context of a certificate. The ones that were used last are kept. */
export function createSecureContexts(ca?: string): (client: ClientCertificate) => SecureContext {
  const kept = new Map<string, SecureContext>();
  return ({ id, open }) => {
    const context = kept.get(id) ?? contextOf(open(), ca);
    keepLast(kept, id, context, maxKept);
    return context;
  };
}

const contextOf = ({ certificate, privateKey }: KeyPair, ca?: string) =>
  createSecureContext({ ...tlsOptions(ca), cert: certificate, key: privateKey });

export function isUsable(pair: KeyPair): boolean {
  try {
    contextOf(pair);
    return true;
  } catch {
    return false;
  }
}
