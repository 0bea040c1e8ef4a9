import type { Certificate } from '../../pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../pki/icp-brasil/icp-brasil.ts';
import { certificateModel } from '../../pki/model/certificate-model.ts';
import { formatCnpj } from '../../taxpayer/cnpj.ts';
import { formatCpf, maskCpf } from '../../taxpayer/cpf.ts';
import { holderName } from '../two-step/holder-name.ts';

const TAG = /\{\{\s*(\w+)\s*\}\}/g;

type Value = string | null | undefined;

/** The values of all tags for a signer. What a certificate does not have is empty. */
function valuesOf(certificate: Certificate): Readonly<Record<Tag, Value>> {
  const { cpf, cnpj, personName, companyName, oab, rg, email } = icpBrasilIdentity(certificate);
  const { pkiItaly, subjectCommonName, issuerDisplayName } = certificateModel(certificate);
  const name = holderName(certificate);
  const nationalId = cpf ?? pkiItaly.codiceFiscale;
  return {
    ...{ name, signername: name, email, signeremail: email },
    ...{ national_id: nationalId, signernationalid: nationalId },
    ...{ subject_cn: subjectCommonName, issuer_cn: issuerDisplayName, issuercommonname: issuerDisplayName },
    ...{ br_cpf: cpf, br_cpf_formatted: cpf && formatCpf(cpf), br_cpf_masked: cpf && maskCpf(cpf) },
    ...{ br_cnpj: cnpj, br_cnpj_formatted: cnpj && formatCnpj(cnpj) },
    ...{ br_responsavel: personName, br_company: companyName },
    ...{ br_oab_numero: oab?.number, br_oab_uf: oab?.state },
    ...{ br_rg_numero: rg?.number, br_rg_numero_masked: rg && maskRg(rg.number) },
    ...{ br_rg_emissor: rg?.issuer, br_rg_uf: rg?.state },
  };
}

const TAGS = [
  ...['name', 'national_id', 'email', 'subject_cn', 'issuer_cn'],
  ...['br_cpf', 'br_cpf_formatted', 'br_cpf_masked', 'br_cnpj', 'br_cnpj_formatted'],
  ...['br_responsavel', 'br_company', 'br_oab_numero', 'br_oab_uf'],
  ...['br_rg_numero', 'br_rg_numero_masked', 'br_rg_emissor', 'br_rg_uf'],
  // As they were called before.
  ...['signername', 'signeremail', 'signernationalid', 'issuercommonname'],
] as const;

type Tag = (typeof TAGS)[number];

const isTag = (name: string): name is Tag => TAGS.some((each) => each === name);

// As the CPF's mask hides its ends, this one all but the last three digits.
const maskRg = (number: string): string => number.replace(/\w(?=(?:\W*\w){3})/g, '*');

/** The tags of a text that are not known, in any case of letters. @example unknownTags('{{name}} {{age}}') // ['age'] */
export const unknownTags = (text: string): string[] =>
  Array.from(text.matchAll(TAG), ([, name = '']) => name).filter((name) => !isTag(name.toLowerCase()));

/** The text with the facts of the signer in place of its tags. @example fillTags('{{name}}', certificate) // 'ANA PRADO' */
export function fillTags(text: string, certificate: Certificate): string {
  const values = valuesOf(certificate);
  return text.replace(TAG, (tag, given: string) => {
    const name = given.toLowerCase();
    return isTag(name) ? (values[name] ?? '') : tag;
  });
}
