// Provisioning by the directory of a company (SCIM 2.0): its parts, connected.
import type { Access, Guesses } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Limits } from '../../../base/limits/index.ts';
import type { EnqueueMail } from '../../../base/mail/index.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { AccessTokens } from '../../../people/index.ts';
import { createProvisioningAccess } from './access.ts';
import { createProvisioningOfOwners, provisionedData } from './owners/provisioning.ts';
import { registerProvisioningRoutes } from './owners/routes.ts';
import { deletePerson } from './owners/store.ts';
import { createResources } from './resources/resources.ts';
import { registerScimRoutes } from './routes.ts';
import { createSettling } from './settling/settling.ts';

export type ProvisioningOptions = {
  db: Database;
  access: Access;
  guesses: Guesses;
  limits: Limits;
  tokens: AccessTokens;
  enqueueMail: EnqueueMail;
  baseUrl: string;
};

export function createProvisioning({
  db,
  access,
  guesses,
  limits,
  tokens,
  enqueueMail,
  baseUrl,
}: ProvisioningOptions) {
  const settling = createSettling({ told: { enqueueMail, baseUrl }, tokens });
  return {
    register(server: HttpServer): void {
      const provisioning = createProvisioningOfOwners({ db, baseUrl, settling });
      registerProvisioningRoutes(server, { provisioning, access });
      registerScimRoutes(server, {
        db,
        baseUrl,
        access: createProvisioningAccess({ db, guesses, limits }),
        resources: createResources({ db, baseUrl, settling }),
      });
    },
    personalData: provisionedData(db),
    erasePerson: deletePerson,
  };
}
