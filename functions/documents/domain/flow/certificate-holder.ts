import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { normalizeText } from '../../../../shared/text/normalize.ts';
import type { Completion, Flow } from './flow.ts';

/** The common name in a distinguished name as RFC 4514 writes it; all of it where there is none. */
export function commonNameIn(distinguishedName: string): string {
  const [, name] = /(?:^|[,+]\s*)CN=((?:\\.|[^,+\\])+)/i.exec(distinguishedName) ?? [];
  return name?.replace(/\\(.)/g, '$1').trim() || distinguishedName;
}

/** The holder of the certificate that signed, without the number that ICP-Brasil appends; null where none did. */
export function holderNameOf({ by, certificate }: Pick<Completion, 'by' | 'certificate'>): string | null {
  if (!certificate) return null;
  const name = commonNameIn(certificate.subject).replace(/\s*:\s*\d{11,14}$/, '');
  const cpf = parseCpf(by.identifier ?? '');
  // Some authorities write the number into the name itself.
  return cpf ? name.replaceAll(cpf, maskCpf(cpf)) : name;
}

// Case, accents and spaces are written in one way in a flow, and in another in a certificate.
const plain = (name: string): string =>
  normalizeText(name, 'NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();

/** Whether two names are the same one, as people write names. */
export const isSameName = (one: string, other: string): boolean => plain(one) === plain(other);

/**
 * Who did a part, as evidence names them. A certificate proves the name that is in it, and a flow only says whom somebody
 * expected: `namedAs` is the name in the flow, where it is another.
 */
export function doerOf({ by, certificate }: Pick<Completion, 'by' | 'certificate'>): {
  readonly name: string;
  readonly namedAs: string | null;
} {
  const holder = holderNameOf({ by, certificate });
  if (holder === null || isSameName(holder, by.name)) return { name: by.name, namedAs: null };
  return { name: holder, namedAs: by.name };
}

/** Those who signed by a certificate of another name, which no CPF or CNPJ of the flow proves to be theirs. */
export const unprovenDoers = (flow: Flow): { readonly name: string; readonly namedAs: string }[] =>
  flow
    .filter(({ requiredCompanyIdentifier }) => requiredCompanyIdentifier === null)
    .flatMap(({ people, completions }) =>
      completions.flatMap((completion) => {
        const { name, namedAs } = doerOf(completion);
        const expected = people.find(({ id }) => id === completion.by.id);
        return namedAs === null || expected?.identifier ? [] : [{ name, namedAs }];
      }),
    );
