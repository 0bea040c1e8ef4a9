import {
  forgetFace,
  type ListedFace,
  listFaces,
} from '../../functions/pki/biometrics/domain/forget-subject.ts';
import {
  type BiometricProvider,
  biometricProvider,
  ProviderFailure,
} from '../../functions/pki/biometrics/domain/providers/provider.ts';
import type { Subject } from '../../functions/pki/biometrics/domain/subjects.ts';
import { biometricsAt } from '../../infra/local/seed/local-settings.ts';
import { AdminRefusal, findApplication } from '../../shared/access/administration.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { isLocal } from '../../shared/settings/names.ts';

/** The faces that the provider keeps for an application, and whose they are. */
export const list = (application: string): Promise<string> =>
  asking(application, async (provider) => {
    const { faces, faceless } = await listFaces(provider, application);
    const lines = [...faces.map(faceLine), ...faceless.map(facelessLine)];
    return lines.length > 0 ? lines.join('\n') : `No face is kept for ${application}.`;
  });

const faceLine = ({ face, subjectId, subject }: ListedFace): string =>
  subject
    ? `${face}  ${subject.identifier}  subject ${subjectId}  enrolled ${subject.enrolledAt}`
    : `${face}  nobody's: left by a try that broke off. Delete it.`;

const facelessLine = ({ identifier, subjectId, face }: Subject): string =>
  `${face}  ${identifier}  subject ${subjectId}  gone at the provider. Delete it here too.`;

/** Deletes a face at the provider, and the subject that has it here. */
export const remove = (application: string, start: string): Promise<string> =>
  asking(application, async (provider) => {
    const { faces, faceless } = await listFaces(provider, application);
    const all = [...faces, ...faceless];
    const [found, ...others] = start === '' ? [] : all.filter(({ face }) => face.startsWith(start));
    if (!found || others.length > 0)
      throw new AdminRefusal(`Name one face of ${application}, as faces list ${application} shows it.`);
    const subject = await forgetFace(provider, application, found);
    return `Deleted the face ${found.face} of ${subject?.identifier ?? 'nobody'} in ${application}.`;
  });

async function asking(
  application: string,
  work: (provider: BiometricProvider) => Promise<string>,
): Promise<string> {
  await findApplication('pki', application);
  // As the engine does: on this machine the sandbox judges faces.
  if (isLocal())
    for (const [name, value] of Object.entries(biometricsAt(commonSettings['Http:PublicUrl'])))
      process.env[name] ??= value;
  try {
    return await work(await biometricProvider());
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new AdminRefusal(
      `${error.message} The settings of the stage that begin with Biometrics must be set here.`,
    );
  }
}
