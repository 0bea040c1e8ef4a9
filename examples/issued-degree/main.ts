import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Credentials, Documents } from '@sinete/client';
import { readCsv } from '../../shared/lines/csv.ts';
import { signAs } from '../sandbox/sign-as.ts';
import { waitUntil } from '../sandbox/wait-until.ts';

// Issues the degrees of a spreadsheet that was saved as CSV: name, CPF and course of each student.
// Usage: main.ts [root address] [data folder of npm start] [folder for the signed files] [spreadsheet]

const [
  root = 'http://localhost:3000',
  data = '.local',
  folder = '/tmp/issued-degrees',
  spreadsheet = join(import.meta.dirname, 'degrees.csv'),
] = process.argv.slice(2);
const key = 'sandbox|sinete-local-key';
const instituteId = '66666666-6666-4666-8666-666666666666';
// The people who sign for the institute.
const SIGNERS = ['52998224725', '47363361886'];

const credentials = new Credentials({ url: `${root}/credentials`, key });
const documents = new Documents({ url: `${root}/documents`, key });

const [, ...records] = await Array.fromAsync(readCsv(await readFile(spreadsheet, 'utf8')));
const lines = records.map(({ values: [studentName, studentCpf, course] }) =>
  JSON.stringify({ studentName, studentCpf, course, instituteId }),
);

// One call for all of them. A line that is refused stops no other.
const body = new Blob([lines.join('\n')], { type: 'application/x-ndjson' });
const { id } = await credentials.createDegreeBatch({ body });
await waitUntil(
  () => credentials.getDegreeBatch({ id }),
  ({ status }) => status === 'Finished',
);
for await (const { line, message, details } of credentials.all('listDegreeBatchErrors', { id }))
  console.error(`Line ${records[line - 1]?.line} of the spreadsheet: ${message} ${JSON.stringify(details)}`);

await mkdir(folder, { recursive: true });
for await (const { degreeId } of credentials.all('listDegreeBatchLines', { id }))
  if (degreeId !== null) await issue(degreeId);

/** Has the files of a degree signed, and keeps them. */
async function issue(degreeId: string): Promise<void> {
  const read = () => credentials.getDegree({ id: degreeId });
  const { files } = await waitUntil(
    read,
    (degree) => degree.files.length > 0 && degree.files.every((file) => file.signerDocumentId !== null),
  );
  // In the sandbox. Elsewhere each of them has a mail with a link, and signs at its page.
  for (const { signerDocumentId } of files)
    for (const cpf of SIGNERS) await signAs(documents, signerDocumentId ?? '', cpf, data);

  const degree = await waitUntil(read, ({ status }) => status !== 'Created');
  for (const { name } of degree.files) {
    const xml = await credentials.getDegreeXml({ id: degreeId, name });
    await writeFile(join(folder, `${degree.studentCpf}-${name}.xml`), xml.body ?? '');
  }
  console.log(`${degree.studentName}: ${root}/credentials/verify/${degree.verificationCode}`);
}
