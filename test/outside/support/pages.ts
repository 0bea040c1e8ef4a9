import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './programs.ts';

/** A fenced block of a page. */
export type Block = {
  readonly page: string;
  readonly heading: string;
  readonly language: string;
  readonly line: number;
  readonly text: string;
};

/** The pages in English: those in Portuguese have the same commands. */
export const pages = (): string[] =>
  globSync(['*.md', 'docs/*.md', 'functions/*/README.md'], { cwd: REPOSITORY })
    .filter((page) => !page.endsWith('.pt-BR.md'))
    .toSorted();

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined;
  const lines = readFileSync(join(REPOSITORY, page), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)\s*$/.exec(line);
    if (open && line === '```') {
      const { lines: inside, ...block } = open;
      blocks.push({ page, heading, ...block, text: inside.join('\n') });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) open = { language: fence[1] ?? '', line: index + 2, lines: [] };
    else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}
