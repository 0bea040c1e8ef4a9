import { globSync, readFileSync } from 'node:fs';

/** A command that a page tells its reader to paste, and what the page shows as its answer, if it does. */
export type Command = {
  readonly page: string;
  readonly line: number;
  readonly text: string;
  readonly answer: string | undefined;
};

type Block = { readonly language: string; readonly line: number; readonly lines: readonly string[] };

/** Every command of every `sh` block. The `json` block after one is its last command's answer. */
export const commandsIn = (patterns: string[]): Command[] =>
  globSync(patterns)
    .toSorted()
    .flatMap((page) => {
      const blocks = blocksOf(readFileSync(page, 'utf8'));
      return blocks.flatMap((block, index) => {
        if (block.language !== 'sh') return [];
        const next = blocks[index + 1];
        const answer = next?.language === 'json' ? next.lines.join('\n') : undefined;
        const commands = commandsOf(block);
        return commands.map((command, n) => ({
          page,
          ...command,
          answer: n === commands.length - 1 ? answer : undefined,
        }));
      });
    });

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)\s*$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open) {
      blocks.push(open);
      open = undefined;
    } else open = { language: fence[1] ?? '', line: index + 2, lines: [] };
  }
  return blocks;
}

// A line that ends in a backslash goes on in the next.
function commandsOf({ line: first, lines }: Block): { line: number; text: string }[] {
  const commands: { line: number; text: string }[] = [];
  let begun = '';
  for (const [index, line] of lines.entries()) {
    const text = `${begun}${line.trim()}`;
    begun = text.endsWith('\\') ? text.slice(0, -1) : '';
    if (!begun && text && !text.startsWith('#')) commands.push({ line: first + index, text });
  }
  return commands;
}
