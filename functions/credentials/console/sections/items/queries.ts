import { KINDS, type KindName } from '../../../items/domain/kinds.ts';
import { queryText, type Visit } from '../../visit.ts';

/** What the address of a list asks for. */
export type ListQuery = {
  readonly q: string;
  readonly state: string;
  readonly problem: boolean;
  readonly institute: string;
  readonly page: number;
};

const MAX_PAGE = 1_000_000;
const MAX_SEARCH = 200;

/** A value that a list does not have is as if it were not given. */
export const readQuery = (visit: Visit, kind: KindName): ListQuery => ({
  q: queryText(visit, 'q').trim().slice(0, MAX_SEARCH),
  state: KINDS[kind].states.states.find((state) => state === queryText(visit, 'state')) ?? '',
  problem: queryText(visit, 'problem') === 'true',
  institute: queryText(visit, 'institute').slice(0, 64),
  page: Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(queryText(visit, 'page'))) || 1)),
});

/** The query of a list without its page, as addresses have it. */
export const queryOf = ({ q, state, problem, institute }: Omit<ListQuery, 'page'>): URLSearchParams =>
  new URLSearchParams({
    ...(q !== '' && { q }),
    ...(state !== '' && { state }),
    ...(problem && { problem: 'true' }),
    ...(institute !== '' && { institute }),
  });

const WRITTEN_CPF = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/;

/** Items know a CPF by its digits, and people write it with its marks. */
export const searchedText = (q: string): string | undefined =>
  q === '' ? undefined : WRITTEN_CPF.test(q) ? q.replace(/\D/g, '') : q;
