import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { readerTexts } from './words.ts';

const words = readerTexts(language);

type Download = { readonly address: string; readonly name: string };

/** The link to the file in the bar above a document. */
export const downloadLink = ({ address, name }: Download): HTMLAnchorElement =>
  element('a', { className: 'reader-download', href: address, download: name }, words.download);
