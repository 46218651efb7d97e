// The wire schemas that account operations share.
import { type Static, Type } from 'typebox';
import { Closed, exampleId, Text } from '../base/http/schemas.ts';

export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 128,
  description: '12 to 128 characters, and not one of the most common passwords',
});
export const Password = Text(128, 'The current password');
export const passwordExample = 'correct horse battery staple';
export const PasswordOnly = Closed('PasswordOnly', { password: Password }, { password: passwordExample });
export const done = { status: true } as const;
export const Done = Closed('Done', { status: Type.Literal(true) }, done);
/** For the operations that delete a user (behaviour U13). */
export const deletionStays =
  'Deletes the agreements, sessions and access tokens of the user too, and pending invitations to the address. The audit log keeps what the user did, under the id of the user, without names and addresses. Logs of the process, files of mails and backups are not touched.';
/** A token that an earlier answer gave to the client. */
export const CarriedToken = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 400,
      pattern: '^[A-Za-z0-9._%!=+/-]+$',
      'x-form': 'a token from an earlier answer',
      description,
    }),
  );
const SignedInUser = Closed(
  'SignedInUser',
  { id: Type.String({ pattern: '^usr_' }), email: Type.String(), name: Type.String() },
  { id: exampleId('usr'), email: 'ann@example.org', name: 'Ann' },
);
export const SignedIn = Closed(
  'SignedIn',
  {
    token: Type.Optional(
      Type.String({ description: 'The session token. Send it as `Authorization: Bearer <token>`.' }),
    ),
    user: Type.Optional(SignedInUser),
    trustDeviceToken: Type.Optional(
      Type.String({
        description: 'Send it with the next sign-in from this device, to skip the second factor.',
      }),
    ),
    linked: Type.Optional(
      Type.Literal(true, { description: 'The account of the provider is linked to the user' }),
    ),
    twoFactorRedirect: Type.Optional(
      Type.Literal(true, { description: 'The sign-in requires a second factor, so there is no session yet' }),
    ),
    twoFactorToken: Type.Optional(
      Type.String({ description: 'Send it with the code of the second factor.' }),
    ),
  },
  {
    token: 'YXvGkzNp0qJc4mRt7wLh2sBd9fKe5uAi',
    user: { id: exampleId('usr'), email: 'ann@nordlys.example', name: 'Ann Lee' },
  },
);
export type SignedIn = Static<typeof SignedIn>;
