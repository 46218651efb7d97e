import { toFetchHandler } from '@concord/webhook-receiver';
import { receiver } from '../../receiver.mjs';

// A route handler gets the bytes. A handler below pages/api would need `bodyParser: false`.
export const dynamic = 'force-dynamic';
export const POST = toFetchHandler(receiver);
