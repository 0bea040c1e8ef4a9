import type { Language } from '../../../../../shared/ui/languages.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { selectField } from '../../../../../shared/ui/parts.ts';
import { translations } from '../../../../../shared/ui/translations.ts';

const languageWords = translations({
  language: { en: 'Language', 'pt-BR': 'Idioma' },
  hint: {
    en: 'Of the mail, and of the pages that its links open.',
    'pt-BR': 'Dos e-mails e das páginas que os links deles abrem.',
  },
  likeOrganization: { en: 'The organization’s', 'pt-BR': 'O da organização' },
});

/** The language of the people of a document, or of documents to come. */
export const languageField = (language: Language, value: Language | '' | undefined): Markup => {
  const words = languageWords(language);
  const names = LANGUAGES.map((name) => ({ value: name, text: LANGUAGE_NAMES[name] }));
  return selectField({
    ...{ id: 'language', label: words.language, hint: words.hint, value: value ?? '' },
    choices: [{ value: '', text: words.likeOrganization }, ...names],
  });
};

/** The same as a fact of a page. Nothing where it is that of the organization. */
export const languageFact = (
  language: Language,
  value: Language | '' | null | undefined,
): readonly [string, string] => [languageWords(language).language, value ? LANGUAGE_NAMES[value] : ''];
