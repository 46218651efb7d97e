// Lists whose rows grow with the number of partners.
import type { Case } from '../case.ts';
import { measureGrowth } from '../growth.ts';

export const growthPartners: Case = {
  name: 'growth_partners',
  about:
    'lists and filters of partners, agreements, users and the audit log, with 1,000 and the filled number of partners: one client, p95',
  limitMinutes: 10,
  measure: (context) =>
    measureGrowth(context, 'partners', ({ partner, partners: count }) => {
      const page = (path: string, more = '') => `${path}?page_size=50${more}`;
      const of = `/partners/${partner}`;
      return {
        'GET partner': of,
        partners: page('/partners'),
        'partners by name': page('/partners', '&sort_by=name'),
        'partners by created_at, the last first': page('/partners', '&sort_by=created_at&sort_dir=desc'),
        'partners by updated_at, the last first': page('/partners', '&sort_by=updated_at&sort_dir=desc'),
        'partners, name of one in 7': page('/partners', '&filter[name]=baltic'),
        'partners, name of one': page('/partners', `&filter[name]=${count - 1}`),
        'partners, name of none': page('/partners', '&filter[name]=zeppelin'),
        'partners, vat_no of all': page('/partners', '&filter[vat_no]=SE0'),
        'partners, vat_no of one': page(
          '/partners',
          `&filter[vat_no]=${String(count - 1).padStart(10, '0')}01`,
        ),
        'deleted partners': page('/platform/deleted-partners'),
        'deleted partners, name of one in 7': page('/platform/deleted-partners', '&filter[name]=baltic'),
        agreements: page(`${of}/agreements`),
        'agreements by created_at, the last first': page(
          `${of}/agreements`,
          '&sort_by=created_at&sort_dir=desc',
        ),
        'agreements by updated_at': page(`${of}/agreements`, '&sort_by=updated_at'),
        'agreements by expires_at': page(`${of}/agreements`, '&sort_by=expires_at'),
        'agreements, active': page(`${of}/agreements`, '&filter[state]=active'),
        'agreements, expired': page(`${of}/agreements`, '&filter[state]=expired'),
        'agreements, email of all': page(`${of}/agreements`, '&filter[email]=bench'),
        'who can give a permission': `${of}/grantors?permission=partner.get`,
        'sign-in policy': `${of}/sign-in-policy`,
        'audit log of a partner': page(`${of}/audit-log`),
        'audit log of a partner, the first first': page(`${of}/audit-log`, '&sort_dir=asc'),
        'audit log, an action': page('/audit-log', '&filter[action]=agreement.create'),
        'audit log, an address that none has': page(
          '/audit-log',
          '&filter[actor_email]=zeppelin@bench.example',
        ),
        'agreements, pending': page(`${of}/agreements`, '&filter[state]=pending'),
        'agreements, email of one': page(`${of}/agreements`, '&filter[email]=colleague777@'),
        'my agreements': page('/me/agreements'),
        'permission groups': page(`${of}/acl-permission-groups`),
        users: page('/users'),
        'users by name': page('/users', '&sort_by=name'),
        'users, email of one': page('/users', '&filter[email]=member77@'),
        'users, name of many': page('/users', '&filter[name]=member'),
        'search, a name': '/search?q=baltic%20steel',
        'search, an address': '/search?q=member77@bench',
      };
    }),
};
