import { csharp } from './languages/csharp.ts';
import { java } from './languages/java.ts';
import type { Language } from './languages/language.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';

export const LANGUAGES: Readonly<Record<'csharp' | 'java' | 'php' | 'python', Language>> = {
  csharp,
  java,
  php,
  python,
};
