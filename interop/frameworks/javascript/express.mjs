import process from 'node:process';
import { toExpressHandler } from '@concord/webhook-receiver';
import express from 'express';
import { receiver } from './receiver.mjs';

const app = express();
// Before express.json(), which would eat the bytes.
app.post('/hooks', toExpressHandler(receiver));
app.use(express.json());
app.listen(Number(process.env.PORT), '127.0.0.1');
