// Scrypt computes no key twice: most tests use one password, whose hash takes 80 ms of a core each time. A test
// that needs the work uses different passwords.
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: NonSharedBuffer) => void;
const { scrypt } = crypto;
const known = new Map<string, NonSharedBuffer>();

function scryptOnce(password: string, salt: string, length: number, options: ScryptOptions, done: Done) {
  const input = JSON.stringify([password, salt, length, options]);
  const key = known.get(input);
  if (key) return void setImmediate(done, null, key);
  scrypt(password, salt, length, options, (error, made) => {
    if (!error) known.set(input, made);
    done(error, made);
  });
}
crypto.scrypt = scryptOnce as typeof scrypt;
syncBuiltinESMExports();
