import { readFile } from '../../../../shared/files/stored-file.ts';
import {
  type AuthenticationType,
  type Evidence,
  MAX_IMAGE_BYTES,
  readEvidence,
} from '../document/evidence.ts';
import type { Completion } from '../flow/flow.ts';

// In Portuguese, as everything that is printed. Addresses are masked: participants of a document see the manifest of all.

/** The kind of signature, as the law calls it. */
export const ELECTRONIC_LABEL = 'Assinatura eletrônica simples';

export const ELECTRONIC_CLOSING =
  'As assinaturas eletrônicas acima são simples, nos termos do art. 4º, I, da Lei 14.063/2020: não foram feitas com ' +
  'certificado digital de quem assinou. Ao fim do fluxo o arquivo é selado com o certificado da organização, e qualquer ' +
  'alteração do arquivo ou das evidências aparece na verificação.';

/** @example maskAddress('ana@acme.example') // 'a***@acme.example' */
const maskAddress = (address: string): string =>
  `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;

const SHOWN_DIGITS = 4;
const MAX_AGENT_CHARACTERS = 160;

/** The evidence of a completion, among those of its document. */
const evidenceFor = ({ evidence }: Completion, chain: readonly Evidence[]): Evidence | undefined =>
  evidence && chain.find(({ sha256 }) => sha256 === evidence.sha256);

/** What a manifest says of an electronic signature. */
export function evidenceLines(completion: Completion, chain: readonly Evidence[]): string[] {
  const found = evidenceFor(completion, chain);
  if (!found) return [];
  const facts = readEvidence(found);
  const { geolocation: place, userAgent, authenticatedEmail, authenticatedPhoneNumber: phone } = facts;
  const ways: Record<AuthenticationType, string> = {
    Email: `código enviado a ${maskAddress(authenticatedEmail ?? '')}`,
    SMS: `código por SMS ao telefone de final ${phone?.replace(/\D/g, '').slice(-SHOWN_DIGITS) ?? ''}`,
    AuthenticatorApp: 'código de aplicativo autenticador',
    Liveness: `prova de vida (sessão ${facts.livenessSessionId ?? ''})`,
    Application: `identificação pela aplicação ${facts.authenticatedApplication?.name ?? ''}`,
  };
  return [
    `Autenticação: ${facts.authenticationTypes.map((type) => ways[type]).join('; ')}`,
    `Endereço IP ${facts.ipAddress}${userAgent ? ` · ${userAgent.slice(0, MAX_AGENT_CHARACTERS)}` : ''}`,
    ...(place ? [`Localização informada: ${place.latitude}, ${place.longitude}`] : []),
    `SHA-256 do arquivo mostrado: ${facts.shownFile.sha256}`,
    `SHA-256 da evidência ${found.sequence}: ${found.sha256}`,
  ];
}

/** The images of signatures, by the hash of their evidence. */
export async function readImages(chain: readonly Evidence[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const images = await Promise.all(
    chain.map(
      async ({ sha256, imageKey }): Promise<[string, Uint8Array][]> =>
        imageKey === undefined
          ? []
          : [[sha256, await readFile('documents', { key: imageKey, size: MAX_IMAGE_BYTES })]],
    ),
  );
  return new Map(images.flat());
}
