// The door of mail.
export { createOutbox, type Mail, type Outbox } from './outbox.ts';
export { createSender, type Sender } from './sender.ts';
export { createTransport } from './transport.ts';
