import { LANGUAGES, type Language } from '../languages.ts';

/** The language that the server drew the page in. */
export const language: Language = LANGUAGES.find((each) => each === document.documentElement.lang) ?? 'en';
