// Lists whose rows grow with the number of partners.
import type { Case } from '../case.ts';
import { measureGrowth } from '../growth.ts';

export const growthPartners: Case = {
  name: 'growth_partners',
  about:
    'lists and filters of partners, agreements, users and the audit log, with 1,000 and the filled number of partners: one client, p95',
  limitMinutes: 10,
  measure: (context) =>
    measureGrowth(context, 'partners', ({ partner, partners }) => ({
      'GET partner': `/partners/${partner}`,
      partners: '/partners?page_size=50',
      'partners by name': '/partners?page_size=50&sort_by=name',
      'partners by created_at, the last first': '/partners?page_size=50&sort_by=created_at&sort_dir=desc',
      'partners by updated_at, the last first': '/partners?page_size=50&sort_by=updated_at&sort_dir=desc',
      'partners, name of one in 7': '/partners?page_size=50&filter[name]=baltic',
      'partners, name of one': `/partners?page_size=50&filter[name]=${partners - 1}`,
      'partners, name of none': '/partners?page_size=50&filter[name]=zeppelin',
      'partners, vat_no of all': '/partners?page_size=50&filter[vat_no]=SE0',
      'partners, vat_no of one': `/partners?page_size=50&filter[vat_no]=${String(partners - 1).padStart(10, '0')}01`,
      'deleted partners': '/platform/deleted-partners?page_size=50',
      'deleted partners, name of one in 7': '/platform/deleted-partners?page_size=50&filter[name]=baltic',
      agreements: `/partners/${partner}/agreements?page_size=50`,
      'agreements by created_at, the last first': `/partners/${partner}/agreements?page_size=50&sort_by=created_at&sort_dir=desc`,
      'agreements by updated_at': `/partners/${partner}/agreements?page_size=50&sort_by=updated_at`,
      'agreements by expires_at': `/partners/${partner}/agreements?page_size=50&sort_by=expires_at`,
      'agreements, active': `/partners/${partner}/agreements?page_size=50&filter[state]=active`,
      'agreements, expired': `/partners/${partner}/agreements?page_size=50&filter[state]=expired`,
      'agreements, email of all': `/partners/${partner}/agreements?page_size=50&filter[email]=bench`,
      'who can give a permission': `/partners/${partner}/grantors?permission=partner.get`,
      'sign-in policy': `/partners/${partner}/sign-in-policy`,
      'audit log of a partner': `/partners/${partner}/audit-log?page_size=50`,
      'audit log of a partner, the first first': `/partners/${partner}/audit-log?page_size=50&sort_dir=asc`,
      'audit log, an action': '/audit-log?page_size=50&filter[action]=agreement.create',
      'audit log, an address that none has':
        '/audit-log?page_size=50&filter[actor_email]=zeppelin@bench.example',
      'agreements, pending': `/partners/${partner}/agreements?page_size=50&filter[state]=pending`,
      'agreements, email of one': `/partners/${partner}/agreements?page_size=50&filter[email]=colleague777@`,
      'my agreements': '/me/agreements?page_size=50',
      'permission groups': `/partners/${partner}/acl-permission-groups?page_size=50`,
      users: '/users?page_size=50',
      'users by name': '/users?page_size=50&sort_by=name',
      'users, email of one': '/users?page_size=50&filter[email]=member77@',
      'users, name of many': '/users?page_size=50&filter[name]=member',
      'search, a name': '/search?q=baltic%20steel',
      'search, an address': '/search?q=member77@bench',
    })),
};
