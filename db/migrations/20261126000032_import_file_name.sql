-- The name of the file, by which a user recognizes an import. Null if the client has not sent it.
alter table private.account_imports
  add column file_name text,
  add constraint account_imports_file_name_check check (
    char_length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'
  );
