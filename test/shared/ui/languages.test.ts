import { describe, expect, test } from 'vitest';
import { languageFor } from '../../../shared/ui/languages.ts';
import { translations } from '../../../shared/ui/translations.ts';

describe('the language of a page', () => {
  test.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
    ['en-GB,en;q=0.9', 'en'],
    ['pt-PT', 'pt-BR'],
    ['de-DE,de;q=0.9,en;q=0.5,pt;q=0.4', 'en'],
    ['en;q=0.2, pt;q=0.7', 'pt-BR'],
    ['en;q=0, pt', 'pt-BR'],
    ['PT-br', 'pt-BR'],
  ])('is the best that a browser accepts: %s', (acceptLanguage, language) => {
    expect(languageFor({ acceptLanguage })).toBe(language);
  });

  test.each([undefined, '', '*', 'de', 'ja;q=x', ';;,,', 'en;q=0'])(
    'is Portuguese where none is asked for that pages have: %s',
    (acceptLanguage) => {
      expect(languageFor({ acceptLanguage })).toBe('pt-BR');
    },
  );

  test('is the one a link names, whatever the browser accepts', () => {
    expect(languageFor({ lang: 'en', acceptLanguage: 'pt-BR' })).toBe('en');
    expect(languageFor({ lang: 'pt-br', acceptLanguage: 'en' })).toBe('pt-BR');
  });

  test('is not what a link makes up', () => {
    expect(languageFor({ lang: 'tlh', acceptLanguage: 'en' })).toBe('en');
    expect(languageFor({ lang: ['en', 'pt-BR'], acceptLanguage: 'en' })).toBe('en');
  });
});

describe('translations', () => {
  const words = translations({
    sign: { en: 'Sign', 'pt-BR': 'Assinar' },
    until: { en: (day: string) => `until ${day}`, 'pt-BR': (day: string) => `até ${day}` },
  });

  test('give each text in the language asked for, with its values', () => {
    expect(words('en').sign).toBe('Sign');
    expect(words('pt-BR').until('31/01')).toBe('até 31/01');
  });

  test('do not compile with a language missing, a text misspelt or a value left out', () => {
    // @ts-expect-error: a row without Portuguese
    translations({ sign: { en: 'Sign' } });
    // @ts-expect-error: a text that no row has
    expect(words('en').sing).toBeUndefined();
    // @ts-expect-error: a day is missing
    expect(words('en').until()).toBe('until undefined');
  });
});
