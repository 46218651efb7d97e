import process from 'node:process';
import { toHonoHandler } from '@concord/webhook-receiver';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { receiver } from './receiver.mjs';

const app = new Hono();
// No middleware before it may call c.req.json() or c.req.parseBody().
app.post('/hooks', toHonoHandler(receiver));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
