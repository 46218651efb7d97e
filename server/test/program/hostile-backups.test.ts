// Texts of a backup that would send commands to a terminal.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { writeBackupFile } from '../../src/base/postgres/backup/file.ts';
import { verifyBackup } from '../../src/base/postgres/backup/read.ts';
import { encodeRecord, kinds } from '../../src/base/postgres/backup/records.ts';
import { writeBackup } from '../../src/base/postgres/backup/write.ts';
import { ownMigrations } from '../../src/base/postgres/migrations.ts';
import { launch, newScratchDir } from '../stage/launch.ts';
import { newDatabase } from '../stage/new-database.ts';

const verify = (path: string) => verifyBackup(path, () => {});

it('O21: a file whose manifest would send commands to the terminal is refused', async () => {
  const path = join(newScratchDir(), 'shown');
  const { url } = await newDatabase();
  const options = { connection: { connectionString: url }, path, secrets: null, onProgress: () => {} };
  await writeBackup({ ...options, version: '1.0\u001b[2J' });
  await expect(verify(path)).rejects.toThrow('a record has another form');
});

it('O70: a hostile backup writes no command to the terminal, whichever of its texts has one', async () => {
  const dir = newScratchDir();
  const manifest = {
    concord: '0.1.0',
    postgres: '18.4',
    taken_at: '2026-11-22T00:00:00.000Z',
    database_bytes: 0,
    migrations: ownMigrations(),
    secret_checks: [],
    secrets: null,
    tables: [],
    partitions: [],
    sequences: [],
  };
  const evil = 'partner\u001b[2J\u009b1m\u007f\u202e\r\nAll is well.';
  const hostile: Record<string, object> = {
    table: { tables: [{ table: evil, columns: 'id' }] },
    columns: { tables: [{ table: 'partner', columns: evil }] },
    sequence: { sequences: [{ name: evil, last_value: '1' }] },
    migration: { migrations: [evil] },
    time: { taken_at: `2026-11-22T00:00:00Z${evil}` },
    check: { secret_checks: [{ version: 1, check_value: evil }] },
    version: { concord: evil },
    member: { [evil]: 1 },
  };
  const control = /(?!\n)[\p{Cc}\u202e]|^All is well/mu;
  for (const [name, change] of Object.entries(hostile)) {
    const path = join(dir, name);
    const records = [
      encodeRecord(kinds.manifest, Buffer.from(JSON.stringify({ ...manifest, ...change }))),
      encodeRecord(kinds.table, Buffer.from('other')),
    ];
    await writeBackupFile(path, Readable.from(records));
    await expect(verify(path)).rejects.toThrow('a record has another form');
  }
  const commands = [
    ['backup', '--verify', join(dir, 'table')],
    ['restore', '--from', join(dir, 'table')],
    ['backup', '--verify', join(dir, evil.replaceAll(/\s/g, ''))],
    [evil.replaceAll('\n', '')],
  ];
  for (const args of commands) {
    // As a process: it makes what it prints harmless.
    const command = launch({ CONCORD_DATA_DIR: join(dir, 'data') }, args);
    expect(await command.ended).toBe(1);
    expect(command.lines.join('\n')).not.toMatch(control);
  }
});
