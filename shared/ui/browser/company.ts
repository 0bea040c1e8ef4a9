import { latin1Text } from '../../der/bytes.ts';
import { childrenOf, DerError, type Element, readElement } from '../../der/element.ts';
import { context, TAG } from '../../der/tags.ts';
import { isText, readText } from '../../der/text-and-time.ts';
import { readOid } from '../../der/values.ts';
import { ICP_BRASIL_FIELD as FIELD, isBlank } from '../../pki/icp-brasil/fields.ts';
import type { ShownCertificate } from '../../ways/contract.ts';
import type { Certificate } from './certificate.ts';

const SUBJECT_ALT_NAME = '2.5.29.17';

/**
 * Who signs with a company's certificate: the person who answers for it, and the company. Undefined for any other. The
 * server judges the certificate; this is what a person is shown before it signs.
 * @example const signer = companySignerOf(identity.certificate);
 */
export function companySignerOf(
  certificate: Certificate,
): Pick<ShownCertificate, 'holder' | 'company'> | undefined {
  const fields = readFields(certificate);
  const cnpj = fields.get(FIELD.cnpj);
  if (cnpj === undefined || fields.has(FIELD.person)) return undefined;
  const [name = ''] = certificate.commonName?.split(':') ?? [];
  const holder = fields.get(FIELD.responsibleName) ?? name;
  return { holder, company: { name: fields.get(FIELD.companyName) ?? name, cnpj } };
}

/** The otherName fields of ICP-Brasil that are not blank, by their OID. */
function readFields({ der }: Certificate): ReadonlyMap<string, string> {
  try {
    const [tbs] = childrenOf(readElement(der), TAG.SEQUENCE);
    const wrapped = childrenOf(tbs, TAG.SEQUENCE).find(({ tag }) => tag === context(3));
    const extensions = wrapped
      ? childrenOf(childrenOf(wrapped, context(3))[0], TAG.SEQUENCE).map((each) =>
          childrenOf(each, TAG.SEQUENCE),
        )
      : [];
    const value = extensions.find(([id]) => readOid(id) === SUBJECT_ALT_NAME)?.at(-1);
    if (!value) return new Map();
    const names = childrenOf(readElement(Uint8Array.from(value.content)), TAG.SEQUENCE);
    const texts = names.filter(({ tag }) => tag === context(0)).map(readField);
    return new Map(texts.filter(([, text]) => !isBlank(text)));
  } catch (error) {
    // A certificate that cannot be read is refused by the server, with words.
    if (error instanceof DerError) return new Map();
    throw error;
  }
}

function readField(otherName: Element): [string, string] {
  const [id, wrapped] = childrenOf(otherName, context(0));
  const [value] = childrenOf(wrapped, context(0));
  const text = value && (isText(value) ? readText(value) : latin1Text(value.content));
  return [readOid(id), (text ?? '').trim()];
}
