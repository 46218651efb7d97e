// The door of mail.
export { createOutbox, type Mail } from './outbox.ts';
export { createSender } from './sender.ts';
export { createTransport } from './transport.ts';
