// What can be done with the client certificate of an endpoint (behaviour W72). Its private key is sealed, and never
// shown.
import { changeLocked, changeOnce } from '../../agreements/index.ts';
import type { KeyPair } from '../../base/egress/index.ts';
import { invalidRequest, requireFound } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { serializer } from '../../base/http/serialization.ts';
import { type Answer, created, type IdempotentRequest } from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { changePart } from './change.ts';
import { makeCertificate, readCertificate } from './client-certificate/certificate.ts';
import { ClientCertificate, type PutClientCertificate } from './client-certificate/schema.ts';
import type { Sealings } from './secrets.ts';
import { type GrantedEndpoint, selectClientCertificate } from './store.ts';

export type ClientCertificates = ReturnType<typeof createClientCertificates>;

export function createClientCertificates({
  db,
  certificates,
}: Pick<Sealings, 'certificates'> & { db: Database }) {
  const toJson = serializer(ClientCertificate);

  async function keep(
    tx: Transaction,
    granted: GrantedEndpoint,
    action: string,
    { shown, pair }: { shown: ClientCertificate; pair: KeyPair },
  ): Promise<ClientCertificate> {
    const sealed = certificates.seal(granted.row.endpoint_id, pair);
    const columns = { client_certificate: shown, sealed_client_certificate: sealed };
    await changePart(tx, granted, { action, columns });
    return shown;
  }

  /** Undefined: there is none. @throws ServiceError precondition_failed */
  async function requireUnchanged(tx: Transaction, { row }: GrantedEndpoint, ifMatch: string | undefined) {
    const present = await selectClientCertificate(tx, row.endpoint_id);
    requireMatch(ifMatch, present && toJson(present.shown));
    return present;
  }

  /** The key that Concord made stays when an authority has signed its request. */
  function requireMadeKey(id: string, present: Awaited<ReturnType<typeof selectClientCertificate>>) {
    if (!present?.shown.made_by_concord)
      throw invalidRequest('/private_key', 'is required, because Concord has made no key for this endpoint');
    return { csr: present.shown.csr, ...certificates.open(id, present.sealed) };
  }

  return {
    get: async ({ row }: GrantedEndpoint): Promise<ClientCertificate> =>
      requireFound(await selectClientCertificate(db, row.endpoint_id)).shown,

    put: (
      granted: GrantedEndpoint,
      { certificate, private_key }: PutClientCertificate,
      ifMatch: string | undefined,
    ) =>
      changeLocked(db, granted, async (tx, locked) => {
        const present = await requireUnchanged(tx, locked, ifMatch);
        const made = private_key === undefined ? requireMadeKey(locked.row.endpoint_id, present) : null;
        const read = readCertificate(certificate, made?.privateKey ?? private_key ?? '', await readClock(tx));
        const shown = { ...read.shown, csr: made?.csr ?? null, made_by_concord: made !== null };
        return keep(tx, locked, 'put_client_certificate', { shown, pair: read.pair });
      }),

    /** Makes a key, a certificate that it signs itself, and a request for one that an authority signs. */
    make: (granted: GrantedEndpoint, key: IdempotentRequest, ifMatch: string | undefined): Promise<Answer> =>
      changeOnce(db, granted, key, async (tx, locked) => {
        await requireUnchanged(tx, locked, ifMatch);
        const now = await readClock(tx);
        const id = formatId('webhook_endpoint', locked.row.endpoint_id);
        const name = `concord ${id}`;
        const { csr, certificate, privateKey } = await makeCertificate(name, now);
        const { shown, pair } = readCertificate(certificate, privateKey, now);
        const all = { ...shown, csr, made_by_concord: true };
        await keep(tx, locked, 'make_client_certificate', { shown: all, pair });
        const within = `/partners/${formatId('partner', locked.partnerId)}/webhook-endpoints/${id}`;
        return created(`${within}/client-certificate`, toJson(all));
      }),

    remove: (granted: GrantedEndpoint, ifMatch?: string): Promise<void> =>
      changeLocked(db, granted, async (tx, locked) => {
        requireFound(locked.row.client_certificate);
        await requireUnchanged(tx, locked, ifMatch);
        await changePart(tx, locked, {
          action: 'delete_client_certificate',
          columns: { client_certificate: null, sealed_client_certificate: null },
        });
      }),
  };
}
