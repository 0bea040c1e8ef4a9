import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Documents, isRefused } from '@sinete/client';

// Verifies every signed file of a folder, and says who signed it. The exit code is 1 where a file is not valid.
// Usage: main.ts FOLDER [root address]

const [folder = '.', root = 'http://localhost:3000'] = process.argv.slice(2);
// A key is needed only where the service does not verify for everybody.
const documents = new Documents({ url: `${root}/documents`, key: process.env.SINETE_KEY });

const names = (await readdir(folder)).toSorted();
// `lease.pdf.p7s` is the signature of `lease.pdf`, which is then no signed file of its own.
const contents = new Set(names.filter((name) => names.includes(`${name}.p7s`)));

for (const name of names.filter((each) => /\.(pdf|xml|p7[ms])$/i.test(each) && !contents.has(each))) {
  const { isValid, text } = await judge(name);
  console.log(`${isValid ? 'valid' : 'NOT VALID'}: ${name}, ${text}`);
  if (!isValid) process.exitCode = 1;
}

async function judge(name: string): Promise<{ isValid: boolean; text: string }> {
  try {
    const { outcome, reasons, signatures } = await documents.verifyFile({ body: await formOf(name) });
    const signers = signatures.map(({ signer }) => signer?.subjectDisplayName ?? 'somebody unknown');
    // The outcome is of the whole file. A good signature over a part of it makes no valid file.
    return {
      isValid: outcome === 'valid',
      text: [`signed by ${signers.join(' and ') || 'nobody'}`, ...reasons].join(', '),
    };
  } catch (error) {
    if (!isRefused(error, 'FileNotVerifiable')) throw error;
    return { isValid: false, text: error.message };
  }
}

async function formOf(name: string): Promise<FormData> {
  const form = new FormData();
  form.append('file', await openAsBlob(join(folder, name)), name);
  const content = name.replace(/\.p7s$/i, '');
  if (contents.has(content)) form.append('content', await openAsBlob(join(folder, content)), content);
  return form;
}
