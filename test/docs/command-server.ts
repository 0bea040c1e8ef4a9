// The commands of the pages that need no keyboard, one after the other in this process: to start one takes a second, and the
// pages have dozens. `bin/npm` sends them to the socket that the first argument names.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { runAdmin } from '../../cli/admin/run.ts';
import { runVerify } from '../../cli/verify/run.ts';

const COMMANDS = new Map([
  ['admin', runAdmin],
  ['verify', runVerify],
]);

/** Runs a command of words that each end in a zero byte, and gives its exit code and what it printed. */
async function run(words: string): Promise<{ readonly code: number; readonly said: string }> {
  const [name = '', ...argv] = words.split('\0').slice(0, -1);
  const said: string[] = [];
  const print = (line: string) => void said.push(`${line}\n`);
  const code = await COMMANDS.get(name)?.(argv, { print, printError: print });
  return { code: code ?? 1, said: said.join('') };
}

let last: Promise<unknown> = Promise.resolve();
const server = createServer(async (request, response) => {
  const words = await text(request);
  const done = last.then(() => run(words));
  last = done.catch(() => undefined);
  const { code, said } = await done.catch((error: unknown) => ({ code: 1, said: String(error) }));
  response.writeHead(code === 0 ? 200 : 500).end(said);
});
server.listen(process.argv[2], () => process.send?.('ready'));
// However the tests end, the channel to them closes.
process.once('disconnect', () => process.exit(0));
