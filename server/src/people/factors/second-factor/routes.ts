// The HTTP of the second factor.
import type { FastifyRequest } from 'fastify';
import type { Access } from '../../../access/index.ts';
import { changesBetween, secretChange } from '../../../audit/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Audited } from '../../audited.ts';
import { PasswordOnly, SignedIn } from '../../schema.ts';
import * as wire from './schema.ts';
import type { Proof, SecondFactor } from './second-factor.ts';

type Options = { secondFactor: SecondFactor; audited: Audited; access: Access };

export function registerSecondFactorRoutes(
  server: HttpServer,
  { secondFactor, audited, access }: Options,
): void {
  const tags = ['Second factor'];
  const common = { tags, security: [{ bearer: [] }] };
  const session = access.accountInSession;
  const proven = access.accountProven;

  /** With a session, this changes the account, so it is audited. Without one it completes a sign-in. */
  const verify = (request: FastifyRequest, kind: 'totp' | 'backup-code', proof: Proof) => {
    const caller = access.accountIfAny.granted(request);
    const work = () => secondFactor.verify(request, kind, proof, caller?.principal ?? null);
    if (!caller) return work();
    const before = caller.principal.secondFactor;
    // The first code enables the second factor.
    const changes =
      before === 'not_enabled'
        ? { two_factor_enabled: { before: false, after: true } }
        : changesBetween({ second_factor_proven: before === 'proven' }, { second_factor_proven: true });
    return audited(caller.actor, 'account.prove_second_factor', work, () => changes);
  };

  server.post(
    '/api/auth/two-factor/verify-totp',
    {
      onRequest: access.accountIfAny.hook,
      schema: {
        operationId: 'verifyTotp',
        tags,
        security: [{}, { bearer: [] }],
        summary: 'Verify a code of the second factor',
        description:
          'Completes a sign-in with `twoFactorToken`. With a session token it steps the session up; the first code enables the second factor.',
        body: wire.VerifyTotp,
        response: { 200: SignedIn },
      },
    },
    (request) => verify(request, 'totp', request.body),
  );
  server.post(
    '/api/auth/two-factor/verify-backup-code',
    {
      onRequest: access.accountIfAny.hook,
      schema: {
        operationId: 'verifyBackupCode',
        tags,
        security: [{}, { bearer: [] }],
        summary: 'Verify a backup code',
        description:
          'Completes a sign-in with `twoFactorToken`, or steps a session up. Each backup code works once.',
        body: wire.VerifyBackupCode,
        response: { 200: SignedIn },
      },
    },
    (request) => verify(request, 'backup-code', request.body),
  );
  server.post(
    '/api/auth/two-factor/enable',
    {
      onRequest: proven.hook,
      schema: {
        ...common,
        operationId: 'enrolSecondFactor',
        summary: 'Start to enable the second factor',
        description:
          'Answers with a TOTP secret and backup codes. The first verified code enables the second factor.',
        body: PasswordOnly,
        response: { 200: wire.TotpEnrolment },
      },
    },
    (request) => {
      const { actor, principal } = proven.granted(request);
      const enable = () => secondFactor.enable(request, principal, request.body.password);
      const changes = {
        ...secretChange('totp_secret', { before: false }),
        ...secretChange('backup_codes', { before: false }),
      };
      return audited(actor, 'account.enable_second_factor', enable, () => changes);
    },
  );
  server.post(
    '/api/auth/two-factor/get-totp-uri',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'getTotpUri',
        summary: 'Show the TOTP secret again',
        description: 'Requires the password. Use it to set up the same secret in another authenticator app.',
        body: PasswordOnly,
        response: { 200: wire.TotpUri },
      },
    },
    (request) => secondFactor.showSecret(request, session.granted(request).principal, request.body.password),
  );
  server.post(
    '/api/auth/two-factor/disable',
    {
      onRequest: proven.hook,
      schema: {
        ...common,
        operationId: 'disableSecondFactor',
        summary: 'Disable the second factor',
        description: 'Answers with a session token that replaces the one you sent.',
        body: PasswordOnly,
        response: { 200: wire.NewToken },
      },
    },
    (request) => {
      const { actor, principal } = proven.granted(request);
      const disable = () => secondFactor.disable(request, principal, request.body.password);
      const changes = { two_factor_enabled: { before: true, after: false } };
      return audited(actor, 'account.disable_second_factor', disable, () => changes);
    },
  );
  server.post(
    '/api/auth/two-factor/generate-backup-codes',
    {
      onRequest: [
        access.account.hook,
        (request) => secondFactor.countBackupCodes(access.account.granted(request).principal),
      ],
      schema: {
        ...common,
        operationId: 'generateBackupCodes',
        'x-errors': [400, 401, 403, 404, 429, 500],
        summary: 'Generate new backup codes',
        description: 'The previous codes stop working.',
        body: wire.GenerateBackupCodes,
        response: { 200: wire.BackupCodes },
      },
    },
    (request) => {
      const { actor, principal } = access.account.granted(request);
      const generate = () => secondFactor.generateBackupCodes(request, principal, request.body.password);
      return audited(actor, 'account.generate_backup_codes', generate, () => secretChange('backup_codes'));
    },
  );
}
