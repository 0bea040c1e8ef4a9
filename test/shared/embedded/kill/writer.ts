// A process to be killed: writes without pause as its witnesses do, and tells its parent what was answered.
import { openStores } from '../../../../shared/embedded/stores.ts';
import { clientsOf, WITNESSES } from './witnesses.ts';

const [folder = '', ...names] = process.argv.slice(2);
const clients = clientsOf(openStores({ folder }));
// A test run that dies leaves no writer behind.
process.once('disconnect', () => process.exit());

for (const name of names) {
  const { prepare, write } = WITNESSES[name.split(' ')[0] ?? ''] ?? {};
  if (!prepare || !write) throw new Error(`There is no witness ${name}.`);
  await prepare(clients);
  const going = async () => {
    for (let n = Date.now() * 1_000; ; n++) {
      const noted = await write(clients, n, name);
      if (noted) process.send?.({ name, noted });
    }
  };
  void going();
}
