import { XmlRefused } from '../errors.ts';
import { type Insertion, isSibling } from '../insertions.ts';
import { eachTag, nameOf, type Tag } from './scan.ts';
import { inEncodingOf, type Source } from './source.ts';

/** The place of new text in the bytes. `before`, the text and `after` replace the bytes from `from` to `to`. */
export type Gap = {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
};

/**
 * The gap at a place by an element. Only an element written `<a/>` changes, for a place in it: it becomes `<a>…</a>`,
 * which means the same.
 * @example const gap = gapBy(source, ordinalsOf(element), 'AppendChild');
 */
export function gapBy(source: Source, ordinals: readonly number[], insertion: Insertion): Gap {
  const counts: number[] = [-1];
  let matched = 0; // the number of open elements on the way to the target
  let depth = 0;
  let found: Gap | undefined;
  eachTag(source, (tag) => {
    if (tag.kind === 'close') {
      depth--;
      if (matched > depth && matched === ordinals.length) found = gapAtTag(source, tag, insertion);
      matched = Math.min(matched, depth);
      return found !== undefined;
    }
    const ordinal = (counts[depth] ?? -1) + 1;
    counts[depth] = ordinal;
    const isNext = matched === depth && ordinals[depth] === ordinal;
    if (isNext && depth + 1 === ordinals.length) found = gapAtTag(source, tag, insertion);
    if (found || tag.kind === 'empty') return found !== undefined;
    if (isNext) matched++;
    depth++;
    counts[depth] = -1;
    return false;
  });
  if (found) return found;
  throw new XmlRefused('malformed', 'The place for the signature was not found in the document.');
}

/** The gap that is at this tag of the target; none where its other tag has it. */
function gapAtTag(source: Source, tag: Readonly<Tag>, insertion: Insertion): Gap | undefined {
  const { kind, start, end } = tag;
  if (kind === 'empty' && !isSibling(insertion)) return expandEmptyTag(source, end, nameOf(source, tag));
  const isOpening = insertion.startsWith('Prepend');
  if (kind !== 'empty' && isOpening !== (kind === 'open')) return undefined;
  const at = { AppendChild: start, PrependChild: end, AppendSibling: end, PrependSibling: start }[insertion];
  return gapAt(source, at, at);
}

const gapAt = ({ unitBytes }: Source, from: number, to: number, before = '', after = ''): Gap => ({
  from: from * unitBytes,
  to: to * unitBytes,
  before,
  after,
});

// `/>` is always the last two characters of an empty tag.
const expandEmptyTag = (source: Source, end: number, name: string): Gap =>
  gapAt(source, end - 2, end, '>', `</${name}>`);

/** The document with new text in the gap; every other byte is unchanged. @example splice(source, gap, signature) */
export function splice(source: Source, { from, to, before, after }: Gap, ascii: string): Buffer {
  const { bytes } = source;
  const added = inEncodingOf(source, before + ascii + after);
  return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(to)]);
}
