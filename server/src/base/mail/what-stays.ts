// What mails say about the deletion of an account (behaviour U13).
export const whatStays =
  'Concord keeps in its audit log what your user did, under an id, without your name and addresses. Partners keep what you wrote about them.';
