import process from 'node:process';
import { toFastifyPlugin } from '@concord/webhook-receiver';
import Fastify from 'fastify';
import { receiver } from './receiver.mjs';

const app = Fastify();
// The plugin keeps the bytes on its own path. Elsewhere JSON is parsed as before.
await app.register(toFastifyPlugin(receiver, '/hooks'));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
