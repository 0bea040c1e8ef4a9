import { commonSettings } from '../../../shared/settings/common.ts';
import { settings } from '../settings.ts';

/** The name of this instance: of its slots, its folders and its row in the cluster. */
export const instanceName = (): string =>
  settings['Cluster:InstanceName'] || new URL(commonSettings['Http:PublicUrl']).host;
