// The HTTP of the step-up, and of the second factor.
import type { FastifyRequest } from 'fastify';
import { createRoutes } from '../../access/index.ts';
import { changesBetween, secretChange } from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, PasswordOnly, SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import type { CodeKind, Proof } from './code-check.ts';
import * as wire from './schema.ts';
import { createSecondFactor } from './second-factor.ts';
import { createStepUp } from './step-up.ts';

export function registerCodeRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Second factor');
  const { audited, access } = services;
  const secondFactor = createSecondFactor(services);

  /** With a session, this changes the account, so it is audited. Without one it completes a sign-in. */
  const verify = (request: FastifyRequest, kind: CodeKind, proof: Proof) => {
    const caller = access.accountIfAny.granted(request);
    const work = () => secondFactor.verify(request, kind, proof, caller);
    if (!caller) return work();
    const before = caller.principal.secondFactor;
    // The first code enables the second factor.
    const changes =
      before === 'not_enabled'
        ? { two_factor_enabled: { before: false, after: true } }
        : changesBetween({ second_factor_proven: before === 'proven' }, { second_factor_proven: true });
    return audited(caller.actor, 'account.prove_second_factor', work, changes);
  };

  routes.plain('POST', '/api/auth/two-factor/verify-totp', {
    operationId: 'verifyTotp',
    summary: 'Verify a code of the second factor',
    description:
      'Completes a sign-in with `twoFactorToken`. With a session token it steps the session up; the first code enables the second factor.',
    access: access.accountIfAny,
    body: wire.VerifyTotp,
    answer: SignedIn,
    run: ({ body, request }) => verify(request, 'totp', body),
  });
  routes.plain('POST', '/api/auth/two-factor/verify-backup-code', {
    operationId: 'verifyBackupCode',
    summary: 'Verify a backup code',
    description:
      'Completes a sign-in with `twoFactorToken`, or steps a session up. Each backup code works once.',
    access: access.accountIfAny,
    body: wire.VerifyBackupCode,
    answer: SignedIn,
    run: ({ body, request }) => verify(request, 'backup-code', body),
  });
}

export function registerSecondFactorRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Second factor');
  const { audited, access, guards } = services;
  const secondFactor = createSecondFactor(services);
  const proven = access.accountProven;

  routes.plain('POST', '/api/auth/two-factor/enable', {
    operationId: 'enrolSecondFactor',
    summary: 'Start to enable the second factor',
    description:
      'Answers with a TOTP secret and backup codes, which replace the previous ones. The first verified code enables the second factor, or adds the app to your passkeys.',
    access: proven,
    body: PasswordOnly,
    answer: wire.TotpEnrolment,
    run({ granted, body, request }) {
      const enable = () => secondFactor.enable(request, granted, body.password);
      const changes = {
        ...secretChange('totp_secret', { before: false }),
        ...secretChange('backup_codes', { before: false }),
      };
      return audited(granted.actor, 'account.enable_second_factor', enable, changes);
    },
  });
  routes.plain('POST', '/api/auth/two-factor/get-totp-uri', {
    operationId: 'getTotpUri',
    summary: 'Show the TOTP secret again',
    description: 'Requires the password. Use it to set up the same secret in another authenticator app.',
    access: proven,
    body: PasswordOnly,
    answer: wire.TotpUri,
    run: ({ granted, body, request }) => secondFactor.showSecret(request, granted.principal, body.password),
  });
  routes.plain('POST', '/api/auth/two-factor/disable', {
    operationId: 'disableSecondFactor',
    summary: 'Disable the second factor',
    description: 'Also removes your passkeys. Answers with a session token that replaces the one you sent.',
    access: proven,
    body: PasswordOnly,
    answer: wire.NewToken,
    run({ granted, body, request }) {
      const disable = () => secondFactor.disable(request, granted, body.password);
      const changes = { two_factor_enabled: { before: true, after: false } };
      return audited(granted.actor, 'account.disable_second_factor', disable, changes);
    },
  });
  routes.plain('POST', '/api/auth/two-factor/generate-backup-codes', {
    operationId: 'generateBackupCodes',
    summary: 'Generate new backup codes',
    description: 'The previous codes stop working.',
    access: access.account,
    // 429 and 403 come before 400.
    async beforeBody({ granted: { principal } }) {
      await guards.backupCodes.count(principal.userId);
      // Codes are proofs, so a session that has proven only the password must not get any.
      if (principal.secondFactor === 'missing') throw new ServiceError('mfa_required');
    },
    errors: [400, 401, 403, 404, 429, 500],
    body: wire.GenerateBackupCodes,
    answer: wire.BackupCodes,
    run({ granted: { actor, principal }, body, request }) {
      const generate = () => secondFactor.generateBackupCodes(request, principal, body.password);
      return audited(actor, 'account.generate_backup_codes', generate, secretChange('backup_codes'));
    },
  });
}

export function registerStepUpRoutes(server: HttpServer, services: Services) {
  const stepUp = createStepUp(services);
  createRoutes(server, 'Account').plain('POST', '/api/auth/step-up', {
    operationId: 'stepUp',
    summary: 'Prove again that it is you',
    description:
      'For ten minutes this session may then make the changes that answer 403 `step_up_required` without it. Send the password, with a code or a passkey if you have a second factor. A passkey that verifies its user is enough alone. A sign-in counts as a proof too.',
    access: services.access.accountInSession,
    body: wire.StepUp,
    answer: Done,
    run: ({ granted, body, request }) => stepUp(request, granted, body),
  });
}
