import type { Language } from '../../../shared/ui/languages.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people read it. @example formatSize('pt-BR', 1_234_567) // '1,2 MB' */
export function formatSize(language: Language, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short', // the short form of English has no plural
    maximumFractionDigits: power > 1 ? 1 : 0,
  });
  return number.format(bytes / 1000 ** power);
}

/** The day of a time in Brasília, where deadlines are counted. @example formatDay('en', '2027-01-31T23:59:59Z') */
export const formatDay = (language: Language, time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(
    new Date(time),
  );

/** @example formatCpf('52998224725') // '529.982.247-25' */
export const formatCpf = (cpf: string): string =>
  cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

/** @example formatCnpj('11222333000181') // '11.222.333/0001-81' */
export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
