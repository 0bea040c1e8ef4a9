import { readUploadLimits } from '../../../jobs/domain/upload-limits.ts';
import { listProfiles } from '../../../profiles/domain/profile.ts';
import type { Section } from '../../visit.ts';
import { uploadPage } from './upload-page.ts';

/** Files from the browser of an operator. The page calls the operations that other clients call. */
export const upload: Section = {
  pages: {
    upload: async (visit) => {
      const [limits, profiles] = await Promise.all([readUploadLimits(), listProfiles()]);
      const taking = profiles.filter(({ enabled, method }) => enabled && method !== 'SignerFolder');
      return uploadPage(visit, { limits, profiles: taking });
    },
  },
  forms: {},
};
