// The client certificate of an endpoint: for receivers that ask for one in TLS. Its private key is never shown.
import {
  deleteClientCertificate,
  getClientCertificate,
  makeClientCertificate,
  putClientCertificate,
  type WebhookEndpoint,
} from '@concord/client';
import { download } from '#api/download.ts';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { TextArea } from '#ui/form/field.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Fact, Facts, Time } from '#ui/text/text.tsx';

type Props = { endpoint: WebhookEndpoint };
const warnedMs = 14 * 24 * 3_600_000;

export function ClientCertificate({ endpoint }: Props) {
  const { can, partner } = useAccess();
  const path = { id: partner, endpoint_id: endpoint.id };
  const { client_certificate: summary } = endpoint;
  const { run, isRunning } = useWrite();
  const done = 'The certificate is made';
  const mayChange = can('webhook_endpoints', 'patch');
  if (!summary && !mayChange) return null;
  return (
    <Section
      title="Client certificate"
      about="Only for receivers that ask for one in TLS (mutual TLS)."
      action={
        mayChange && (
          <Row>
            {summary ? (
              <>
                <ConfirmButton
                  button="Delete the certificate…"
                  title="Delete the client certificate?"
                  confirm="Delete the certificate"
                  onConfirm={() =>
                    write(deleteClientCertificate, { path }, { done: 'The certificate is deleted' })
                  }
                >
                  Its private key is deleted too. A receiver that demands it refuses every webhook from now
                  on.
                </ConfirmButton>
                <ConfirmButton
                  button="Make a new one…"
                  title="Make a new certificate?"
                  confirm="Make a certificate"
                  onConfirm={() => write(makeClientCertificate, { path }, { done })}
                >
                  It has a new key, and replaces the present one at once. The receiver must trust it first.
                </ConfirmButton>
              </>
            ) : (
              <Button isBusy={isRunning} onClick={() => void run(makeClientCertificate, { path }, { done })}>
                Make a certificate
              </Button>
            )}
            <DialogButton dialog={(onClose) => <SetCertificate endpoint={endpoint} onClose={onClose} />}>
              Set a certificate…
            </DialogButton>
          </Row>
        )
      }
    >
      {summary && <Present endpoint={endpoint} />}
    </Section>
  );
}

function Present({ endpoint }: Props) {
  const partner = usePartner();
  const path = { id: partner, endpoint_id: endpoint.id };
  const shown = useRead(getClientCertificate, { path }).data?.data;
  if (!shown) return null;
  const { csr, certificate } = shown;
  const save = (text: string, ending: string) =>
    download(`${endpoint.id}.${ending}`, text, 'application/x-pem-file');
  return (
    <>
      <Facts>
        <Fact name="Name">{shown.subject}</Fact>
        <Fact name="Signed by">{shown.issuer === shown.subject ? 'Itself' : shown.issuer}</Fact>
        <Fact name="Expires" at={shown.not_after} />
        <Fact name="Key">{shown.made_by_concord ? 'Made by Concord' : 'Uploaded'}</Fact>
        <Fact name="SHA-256">
          <code>{shown.fingerprint_sha256}</code>
        </Fact>
      </Facts>
      <Row>
        <Button onClick={() => save(certificate, 'pem')}>Download the certificate</Button>
        {csr !== null && <Button onClick={() => save(csr, 'csr')}>Download the request (CSR)</Button>}
      </Row>
    </>
  );
}

function SetCertificate({ endpoint, onClose }: Props & { onClose: () => void }) {
  const partner = usePartner();
  const path = { id: partner, endpoint_id: endpoint.id };
  return (
    <FormDialog
      title="Set a client certificate"
      onClose={onClose}
      submit="Set the certificate"
      onSubmit={(values) => {
        const key = values.optional('private_key');
        const body = {
          certificate: values.text('certificate'),
          ...(key !== null && { private_key: key }),
        };
        return write(putClientCertificate, { path, body }, { done: 'The certificate is set' });
      }}
    >
      <TextArea
        name="certificate"
        label="Certificate"
        isCode
        required
        spellCheck={false}
        placeholder="-----BEGIN CERTIFICATE-----"
        help="In PEM. The certificates of its issuers can follow."
      />
      <TextArea
        name="private_key"
        label="Private key"
        isCode
        spellCheck={false}
        placeholder="-----BEGIN PRIVATE KEY-----"
        help="In PEM, without a passphrase. It is never shown again. Empty: the certificate is for the key that Concord made."
      />
    </FormDialog>
  );
}

/** The receiver refuses an expired certificate. */
export function CertificateEnd({ endpoint }: Pick<Props, 'endpoint'>) {
  const { client_certificate: summary } = endpoint;
  const leftMs = summary ? Date.parse(summary.not_after) - Date.now() : Number.POSITIVE_INFINITY;
  if (!summary || leftMs > warnedMs) return null;
  const hasExpired = leftMs <= 0;
  return (
    <Banner
      tone={hasExpired ? 'bad' : 'warning'}
      title={hasExpired ? 'The client certificate has expired' : 'The client certificate expires soon'}
    >
      <p>
        {hasExpired ? 'It expired' : 'It expires'} <Time at={summary.not_after} />. Receivers refuse an
        expired certificate: set the next one below.
      </p>
    </Banner>
  );
}
