import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A place where the text was found: the page, and the how-manieth of the document. */
export type Match = { readonly page: number; readonly at: number; readonly count: number };

export type Finder = {
  /** The next place of a text after the last one found; from the beginning again after the last. */
  next(text: string): Promise<Match | undefined>;
};

// Letters count without their accents and case: "acao" finds "Ação".
const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').toLowerCase();

/** Finds text in the pages of a PDF. Their text is read once, when it is first asked for. */
export function createFinder(pdf: PDFDocumentProxy, onFound: (match: Match) => void): Finder {
  let texts: Promise<string[]> | undefined;
  let last = { wanted: '', at: 0 };
  return {
    async next(text) {
      const wanted = plain(text.trim());
      if (wanted === '') return undefined;
      texts ??= readTexts(pdf);
      const pages = (await texts).flatMap((page, index) =>
        Array<number>(countIn(page, wanted)).fill(index + 1),
      );
      const at = last.wanted === wanted ? last.at % pages.length : 0;
      const page = pages[at];
      if (page === undefined) return undefined;
      last = { wanted, at: at + 1 };
      const match = { page, at: at + 1, count: pages.length };
      onFound(match);
      return match;
    },
  };
}

async function readTexts(pdf: PDFDocumentProxy): Promise<string[]> {
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(
      plain(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('')),
    );
  }
  return texts;
}

const countIn = (text: string, wanted: string): number => text.split(wanted).length - 1;
