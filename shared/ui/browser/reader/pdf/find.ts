import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A place in the text of a page: a piece of it, and a character of the piece. */
type Place = { readonly piece: number; readonly offset: number };

/** A place where a text was found: the page, its beginning and end, and the how-manieth of the document. */
export type Match = {
  readonly page: number;
  readonly from: Place;
  readonly to: Place;
  readonly at: number;
  readonly count: number;
};

export type Finder = {
  /** The next place of a text after the last one found; from the beginning again after the last. */
  next(text: string): Promise<Match | undefined>;
};

/** The pieces of the text of a page, and whether a line ends with each. */
type PageText = readonly { readonly text: string; readonly endsLine: boolean }[];

/** Finds text in the pages of a PDF. Their text is read once, when it is first looked for. */
export function createFinder(pdf: PDFDocumentProxy): Finder {
  let reading: Promise<PageText[]> | undefined;
  let last = { wanted: '', at: 0 };
  return {
    async next(text) {
      const wanted = plainOf([{ text: text.trim(), endsLine: false }]).plain;
      if (wanted === '') return undefined;
      reading ??= readTexts(pdf);
      const pages = await reading.catch((error) => {
        reading = undefined;
        throw error;
      });
      const matches = pages.flatMap((page, index) =>
        startsOf(plainOf(page).plain, wanted).map((start) => ({ page, number: index + 1, start })),
      );
      const at = last.wanted === wanted ? last.at % Math.max(1, matches.length) : 0;
      const match = matches[at];
      if (!match) return undefined;
      last = { wanted, at: at + 1 };
      const { places } = plainOf(match.page);
      const [from, end] = [places[match.start], places[match.start + wanted.length - 1]];
      if (!from || !end) return undefined;
      const to = { piece: end.piece, offset: end.offset + 1 };
      return { page: match.number, from, to, at: at + 1, count: matches.length };
    },
  };
}

async function readTexts(pdf: PDFDocumentProxy): Promise<PageText[]> {
  const texts: PageText[] = [];
  for (let number = 1; number <= pdf.numPages; number++) texts.push(await textOf(await pdf.getPage(number)));
  return texts;
}

async function textOf(page: PDFPageProxy): Promise<PageText> {
  const { items } = await page.getTextContent();
  return items.flatMap((item) => ('str' in item ? [{ text: item.str, endsLine: item.hasEOL }] : []));
}

/** A text as it is compared, without accents and case, and where each of its characters is: "acao" finds "Ação". */
function plainOf(text: PageText): { readonly plain: string; readonly places: readonly Place[] } {
  let plain = '';
  const places: Place[] = [];
  const add = (characters: string, place: Place): void => {
    for (const character of characters) {
      if (character === ' ' && plain.endsWith(' ')) continue;
      plain += character;
      for (let unit = 0; unit < character.length; unit++) places.push(place);
    }
  };
  text.forEach((piece, index) => {
    let offset = 0;
    for (const character of piece.text) {
      const bare = character.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s/g, ' ').toLowerCase();
      add(bare, { piece: index, offset });
      offset += character.length;
    }
    if (piece.endsLine) add(' ', { piece: index, offset: Math.max(0, offset - 1) });
  });
  return { plain, places };
}

function startsOf(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

/** The found text on a drawn page. */
export function rangeOf(texts: readonly HTMLElement[], { from, to }: Match): Range | undefined {
  const [first, last] = [texts[from.piece]?.firstChild, texts[to.piece]?.firstChild];
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first, Math.min(from.offset, first.textContent?.length ?? 0));
  range.setEnd(last, Math.min(to.offset, last.textContent?.length ?? 0));
  return range;
}

/** Marks the found text, where the browser can without a change of the page, and brings it into view. */
export function showFound(range: Range | undefined, list: HTMLElement): void {
  if (!range) return;
  if ('highlights' in CSS) CSS.highlights.set('reader-found', new Highlight(range));
  const [text, frame] = [range.getBoundingClientRect(), list.getBoundingClientRect()];
  if (text.top < frame.top || text.bottom > frame.bottom)
    list.scrollTop += text.top - frame.top - frame.height / 3;
  if (text.left < frame.left || text.right > frame.right)
    list.scrollLeft += text.left - frame.left - frame.width / 4;
}
