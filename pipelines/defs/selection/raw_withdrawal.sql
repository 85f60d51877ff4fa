-- One row an event: a file was taken out of what counts (withdrawn) or put back. Key: at, file_id.
select file_id, file_name, withdrawn, "at", reason from withdrawal order by place
