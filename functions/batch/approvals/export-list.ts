import { cutRows } from '../../../shared/archive/workbook.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { formatCount, formatDates, formatTime } from '../config/page-format.ts';
import { type ApproverList, type ApproverRow, walkRows } from '../jobs/domain/job/approver-lists.ts';
import { settings } from '../settings.ts';
import { listWords } from './pages/list-words.ts';

type Words = ReturnType<typeof listWords>;
type Column = readonly [
  title: keyof Words,
  width: number,
  text: (row: ApproverRow, language: Language, words: Words) => string,
];

const COMMON: readonly Column[] = [
  ['file', 40, ({ fileName }) => fileName],
  ['total', 22, ({ totalFormatted }) => totalFormatted],
  ['payments', 12, ({ paymentCount }, language) => formatCount(language, paymentCount)],
  ['dates', 28, (row, language) => formatDates(language, row)],
];
const LAST: readonly Column[] = [
  ['profile', 20, ({ profileName }) => profileName],
  ['job', 38, ({ jobId }) => jobId],
];

const COLUMNS: Readonly<Record<ApproverList, readonly Column[]>> = {
  pending: [
    ...COMMON,
    ['since', 22, ({ atMs }, language) => formatTime(language, atMs)],
    [
      'expires',
      22,
      ({ expiresAtMs }, language, words) =>
        expiresAtMs === null ? words.never : formatTime(language, expiresAtMs),
    ],
    ...LAST,
  ],
  decided: [
    ...COMMON,
    ['decision', 12, ({ verdict }, _, words) => (verdict ? words[verdict] : '')],
    ['decidedAt', 22, ({ atMs }, language) => formatTime(language, atMs)],
    ['reason', 60, ({ reason }) => reason ?? ''],
    ...LAST,
  ],
};

/** A list of an approver as rows of text in a language, read while they are written. A cut list says so in its last row. */
export function exportList(address: string, list: ApproverList, language: Language, nowMs: number) {
  const words = listWords(language);
  const columns = COLUMNS[list];
  const maxRows = settings['Export:MaxRows'];
  async function* rows(): AsyncGenerator<readonly string[]> {
    for await (const row of walkRows(address, list, { maxRows: maxRows + 1, nowMs }))
      yield columns.map(([, , text]) => text(row, language, words));
  }
  return {
    sheetName: words[list],
    columns: columns.map(([title, width]) => ({ title: words[title] as string, width })),
    rows: cutRows(rows(), { maxRows, notice: words.cut(maxRows) }),
  };
}
