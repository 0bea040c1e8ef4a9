import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Block, blocksOf, pages } from './support/pages.ts';
import { run, temporaryFolder } from './support/programs.ts';
import { sharedEngine } from './support/shared-engine.ts';

const { url, folder } = sharedEngine();

// Commands of npm are tested by themselves; administration is what some calls stand on.
const isPlayed = (command: string) =>
  !/^(npm|npx|git|docker|aws)\b/.test(command) || /\badmin -- /.test(command);

/** The commands of a page up to its last call, which stand on each other, and those that stop what they started. */
function commandsOf(blocks: readonly Block[]): readonly string[] {
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((command) => command.trim())
    .filter((command) => command && !command.startsWith('#'));
  const last = commands.findLastIndex((command) => /\bcurl\b/.test(command));
  return commands.filter(
    (command, index) => isPlayed(command) && (index <= last || (last >= 0 && /^kill\b/.test(command))),
  );
}

/** As somebody pastes it, with the address and the folders of this engine in the place of the usual ones. */
function pasted(command: string, own: string): string {
  const places: Readonly<Record<string, string>> = {
    'http://localhost:3000': url,
    '.local/': `${folder}/`,
    '/tmp/': `${own}/`,
    'admin -- ': `admin -- --data ${folder} `,
  };
  return command.replaceAll(
    /http:\/\/localhost:3000|\.local\/|\/tmp\/|\badmin -- /g,
    (usual) => places[usual] ?? usual,
  );
}

const played = pages()
  .map((page) => [page, commandsOf(blocksOf(page))] as const)
  .filter(([, commands]) => commands.length > 0);

describe('the calls that pages tell their readers to paste', () => {
  test('are on many pages', () => {
    expect(played.length).toBeGreaterThan(15);
  });

  // The commands of a page one after the other, in one shell: later ones use what earlier ones made.
  test.each(played)('%s', async (_, commands) => {
    const own = temporaryFolder();
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    // A page that waits for what never comes ends before its test does.
    await run(commands.map((command) => pasted(command, own)).join('\n'), { timeout: 110_000 });
  });
});
