import { csharp } from './languages/csharp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import type { Language } from './languages/language.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';

export const LANGUAGES: Readonly<Record<'csharp' | 'go' | 'java' | 'php' | 'python', Language>> = {
  csharp,
  go,
  java,
  php,
  python,
};
