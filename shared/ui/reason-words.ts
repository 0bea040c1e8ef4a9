import { translations } from './translations.ts';

/** The meaning of each reason of a verdict, for readers of a page. @example reasonWords('en').TRY_LATER */
export const reasonWords = translations({
  FORMAT_FAILURE: {
    en: 'The signature is not written as its standard says.',
    'pt-BR': 'A assinatura não está escrita como o padrão manda.',
  },
  HASH_FAILURE: {
    en: 'The content is not what was signed.',
    'pt-BR': 'O conteúdo não é o que foi assinado.',
  },
  SIG_CRYPTO_FAILURE: {
    en: 'The signature was not made with the key of this certificate.',
    'pt-BR': 'A assinatura não foi feita com a chave deste certificado.',
  },
  NOT_YET_VALID: {
    en: 'It was signed before the certificate was valid.',
    'pt-BR': 'Foi assinado antes de o certificado ser válido.',
  },
  SIG_CONSTRAINTS_FAILURE: {
    en: 'Something that a signature must have is missing or does not hold.',
    'pt-BR': 'Falta ou não vale algo que uma assinatura precisa ter.',
  },
  CHAIN_CONSTRAINTS_FAILURE: {
    en: 'The certificate is not one for signing, or its authority was not allowed to issue it.',
    'pt-BR': 'O certificado não serve para assinar, ou a autoridade não podia emiti-lo.',
  },
  CERTIFICATE_CHAIN_GENERAL_FAILURE: {
    en: 'The chain of the certificate does not hold.',
    'pt-BR': 'A cadeia do certificado não se sustenta.',
  },
  CRYPTO_CONSTRAINTS_FAILURE: {
    en: 'It uses an algorithm that is too weak, or not supported here.',
    'pt-BR': 'Usa um algoritmo fraco demais, ou que não é suportado aqui.',
  },
  POLICY_PROCESSING_ERROR: {
    en: 'The signature policy is not the one that it names.',
    'pt-BR': 'A política de assinatura não é a que ela nomeia.',
  },
  SIGNATURE_POLICY_NOT_AVAILABLE: {
    en: 'The signature policy is not known here.',
    'pt-BR': 'A política de assinatura não é conhecida aqui.',
  },
  NO_SIGNING_CERTIFICATE_FOUND: {
    en: "The signer's certificate is not in the file.",
    'pt-BR': 'O certificado do signatário não está no arquivo.',
  },
  NO_CERTIFICATE_CHAIN_FOUND: {
    en: 'The certificate leads to no authority that is trusted here.',
    'pt-BR': 'O certificado não leva a nenhuma autoridade em que se confia aqui.',
  },
  REVOKED_NO_POE: {
    en: 'The certificate was revoked, and nothing proves that it was signed before.',
    'pt-BR': 'O certificado foi revogado, e nada prova que foi assinado antes.',
  },
  REVOKED_CA_NO_POE: {
    en: 'The certificate of an authority in the chain was revoked.',
    'pt-BR': 'O certificado de uma autoridade da cadeia foi revogado.',
  },
  OUT_OF_BOUNDS_NO_POE: {
    en: 'The certificate has expired or was not yet valid, and nothing proves that it was signed in its time.',
    'pt-BR': 'O certificado expirou ou ainda não valia, e nada prova que foi assinado dentro do prazo.',
  },
  TRY_LATER: {
    en: 'Whether the certificate was revoked could not be learned. Try again later.',
    'pt-BR': 'Não foi possível saber se o certificado foi revogado. Tente mais tarde.',
  },
  SIGNED_DATA_NOT_FOUND: {
    en: 'The content that was signed is not here.',
    'pt-BR': 'O conteúdo assinado não está aqui.',
  },
  GENERIC: { en: 'There is nothing to judge.', 'pt-BR': 'Não há o que avaliar.' },
});
