import { openAsBlob } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Batch } from '@sinete/client';
import { waitUntil } from '../sandbox/wait-until.ts';

// Signs every file of a folder. With a profile that asks for approvals, each file is signed when people have approved it.
// Usage: main.ts FOLDER [--out FOLDER] [--profile NAME] [--approve-as ADDRESS]… [--root ADDRESS]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: 'http://localhost:3000' },
    out: { type: 'string', default: 'signed' },
    profile: { type: 'string', default: 'default' },
    'approve-as': { type: 'string', multiple: true, default: [] },
  },
});
const [folder = '.'] = positionals;
const batch = new Batch({ url: `${values.root}/batch`, key: 'sandbox|sinete-local-key' });
// A name is signed once. Names of this run make it one that can be repeated; yours may be the names of the files.
const run = Date.now();

await mkdir(values.out, { recursive: true });
const names = (await readdir(folder)).toSorted();
// All of them are sent before the first is waited for: they are signed side by side.
const jobs = await Promise.all(names.map(send));
for (const job of jobs) await receive(job);

async function send(name: string): Promise<string> {
  const file = await openAsBlob(join(folder, name));
  return batch.upload(file, { name: `${run}-${name}`, profile: values.profile });
}

async function receive(id: string): Promise<void> {
  const read = () => batch.getJob({ id });
  const isEnded = (status: string) => ['Completed', 'Failed', 'Canceled'].includes(status);
  const { fileName, status, approval } = await waitUntil(
    read,
    (job) => job.status === 'AwaitingApproval' || isEnded(job.status),
  );
  if (status === 'AwaitingApproval') {
    console.log(
      `${fileName} waits for ${approval?.required} approvals. Each approver has a mail with a link.`,
    );
    // In the sandbox. Elsewhere people see what they pay at the page of their link, and decide there.
    for (const email of values['approve-as'])
      await batch.decide({ id, body: { email, decision: 'approved' } });
  }
  const job = await waitUntil(read, (each) => isEnded(each.status));
  if (job.status !== 'Completed') {
    console.error(`${fileName}: ${job.status}. ${job.errorMessage}`);
    process.exitCode = 1;
    return;
  }
  const output = await batch.getJobOutput({ id });
  const [, name = fileName] =
    /filename="([^"/]+)"/.exec(output.headers.get('content-disposition') ?? '') ?? [];
  await writeFile(join(values.out, name), output.body ?? '');
  console.log(join(values.out, name));
}
